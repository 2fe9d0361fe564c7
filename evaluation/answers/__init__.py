"""Proof downstream: is an answer still in what is sent on, and does a model answer as well from less?"""

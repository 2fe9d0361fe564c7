"""Optional: shorten long background with a language model; every sentence cites its sources and is checked.

>>> from pith.summarize import Summarizer
>>> summarizer = Summarizer("http://localhost:8080/v1", "my-model")  # doctest: +SKIP
>>> shorter = summarizer.shorten(query, result).context  # doctest: +SKIP
"""

from pith.summarize.summarizer import SummarizedResult, Summarizer, Summary, SummarySentence

__all__ = ["SummarizedResult", "Summarizer", "Summary", "SummarySentence"]

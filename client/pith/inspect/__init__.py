"""One HTML page for one request: every document with what is kept of it and why the rest is not.

>>> import pith, pith.inspect
>>> with pith.Compressor("localhost:8001") as compressor:  # doctest: +SKIP
...     seen = pith.inspect.inspect(compressor, "When does the warranty end?", documents, budget="low")
...     Path("page.html").write_text(seen.page(), encoding="utf-8")
"""

from pith.inspect.page import page
from pith.inspect.request import Inspection, inspect

__all__ = ["Inspection", "inspect", "page"]

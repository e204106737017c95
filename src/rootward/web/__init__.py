"""The live page: runs in the browser, during and after they run."""

"""When two explanations are the same fault in the paper's sense (section 5)."""

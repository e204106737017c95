"""Bad rows: the paper's protocol against its text, ours against brute force."""

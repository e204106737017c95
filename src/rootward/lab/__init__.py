"""The lab runs searches: trials on workers, budgets, repetition, the store, events. Only the lab does this."""

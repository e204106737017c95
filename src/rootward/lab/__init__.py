"""What runs searches: trials on workers, budgets, repetition, the store, events. The only place that does."""

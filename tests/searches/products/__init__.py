"""Product sets: HPSL against its paper, ours against planted answers and brute force."""

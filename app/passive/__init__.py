"""The window of a script: a process of its own (worker.py) that the module `linkwork` begins, shows what the script simulates and sends back what the user does."""

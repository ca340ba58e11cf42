"""Quantities: numbers and vectors to look at, by name or expression, of a state or of a recording.

    text --syntax--> tree --compile (one Model)--> Quantity: leaves, shape, unit --evaluate--> values by time
    leaves: entries of fields of Data and Model, and what is summed over contacts; a source gives their values for any number of moments

What is evaluated at one moment and at many has the same bits.
"""

"""What is wrong, or not as its author will have meant it, in a model at rest: rules over its text and its Model, with changes of the text that mend it."""

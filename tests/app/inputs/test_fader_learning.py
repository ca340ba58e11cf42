from app.inputs.fader_learning import FaderLearning


def test_the_fader_that_is_touched_is_learnt():
    learning = FaderLearning()
    assert learning.take({}) is None
    assert learning.take({"cc1": 0.5, "cc2": 0.9}) is None, "where they stand says nothing"
    assert learning.take({"cc1": 0.52, "cc2": 0.9}) is None, "a touch in passing"
    assert learning.take({"cc1": 0.52, "cc2": 0.7}) == "cc2"

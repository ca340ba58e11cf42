"""Made-up expressions end in a value or an error with its column; the long run takes 20,000 (`./test.sh --long expressions`)."""
import physics
from assets.locate import bundled_model
from tests.long.expressions import case, corpus_of_texts


def test_made_up_expressions_end_in_a_value_or_an_error_with_a_column():
    physics.ensure_kernels()
    m = physics.load(bundled_model("humanoid.xml"))
    d = physics.Data(m)
    physics.step(m, d, 100)
    texts = corpus_of_texts(m, 1500, seed=1)
    ends = [case(m, d, text) for text in texts]
    assert [text for text, end in zip(texts, ends, strict=True) if end.startswith("broken")] == []
    assert ends.count("value") > 200 and ends.count("error") > 200

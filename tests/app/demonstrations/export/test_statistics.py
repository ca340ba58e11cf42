"""Statistics of columns and pictures against NumPy's."""
import numpy as np

from app.demonstrations.export import statistics


def test_of_numbers_they_are_numpys():
    values = np.random.default_rng(0).normal(size=(200, 3))
    found = statistics.of_numbers(values)
    for name, wanted in {"min": values.min(0), "max": values.max(0), "mean": values.mean(0), "std": values.std(0), "q10": np.quantile(values, 0.1, axis=0)}.items():
        np.testing.assert_allclose(found[name], wanted)
    assert found["count"] == [200] and statistics.of_numbers(np.arange(5))["max"] == [4.0]


def test_of_pictures_they_are_those_of_all_pixels():
    images = np.random.default_rng(1).integers(30, 200, (6, 9, 7, 3)).astype(np.uint8)
    one, two = statistics.Pictures(), statistics.Pictures()
    for k, image in enumerate(images):
        (one if k < 4 else two).add(image)
    one.merge(two)
    found, pixels = one.told(), images.reshape(-1, 3) / 255
    for name, wanted in {"min": pixels.min(0), "max": pixels.max(0), "mean": pixels.mean(0), "std": pixels.std(0), "q50": np.quantile(pixels, 0.5, axis=0, method="inverted_cdf"),
                         "q99": np.quantile(pixels, 0.99, axis=0, method="inverted_cdf")}.items():
        np.testing.assert_allclose(np.ravel(found[name]), wanted, atol=1e-9)
    assert found["count"] == [6] and np.shape(found["q01"]) == (3, 1, 1)

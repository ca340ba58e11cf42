"""Messages by which programs, pages and devices elsewhere drive a model: one object a message, as JSON text or msgpack, read strictly."""

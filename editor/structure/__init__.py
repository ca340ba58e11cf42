"""Operations on the structure of a model's texts: each makes one Edit of a version of the document, or says why it cannot be done. No Qt."""

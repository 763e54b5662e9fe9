"""The objects of a scene as an answer lists them: of every kind of document, with bounds and parents."""

"""Scenes in sentences, each with the facts that it rests on."""

"""A finished report in the forms that people and programs take it in. Each form is made from the Report alone."""

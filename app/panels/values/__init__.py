"""What panels show and set, by kind: units, rows, marks, tables of settings and their editors. The panels themselves lie beside this folder."""

# The tables of reasons and rules in proto/README.md, as Go constants.
BEGIN {
    print "// Code generated from proto/README.md by sdk/go/generate. DO NOT EDIT."
    print ""
    print "// Package reason holds the words by which a server says why it refuses; they never change."
    print "package reason"
    print ""
    print "// Reason is why a call was refused, as in google.rpc.ErrorInfo."
    print "type Reason string"
    print ""
    print "// Rule is which rule forbids a move or a deal: `rule` in the metadata of an error."
    print "type Rule string"
}
/^## / { kind = $0 == "## Rules" ? "Rule" : "Reason" }
/^\| `[A-Z_]+`/ {
    columns = split($0, column, " *[|] *")
    word = column[2]
    gsub("`", "", word)
    if (seen[kind, word]++) next
    name = ""
    parts = split(tolower(word), part, "_")
    for (i = 1; i <= parts; i++) name = name toupper(substr(part[i], 1, 1)) substr(part[i], 2)
    if (kind == "Rule") name = "Rule" name
    printf "\n// %s: %s\nconst %s %s = \"%s\"\n", name, column[columns - 1], name, kind, word
}

# Converts the tables of reasons and rules in proto/README.md to Go constants.
BEGIN {
    print "// Code generated from proto/README.md by sdk/go/generate. DO NOT EDIT."
    print ""
    print "// Package reason lists the reasons and rules in errors of the server. They never change."
    print "package reason"
    print ""
    print "// Reason is the reason of an error, as in google.rpc.ErrorInfo."
    print "type Reason string"
    print ""
    print "// Rule is the rule that forbids a move or a deal: `rule` in the metadata of an error."
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

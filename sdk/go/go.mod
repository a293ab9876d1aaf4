module github.com/azulejo-arena/azulejo/sdk/go

go 1.25.0

// Package azulejo lets bots play Azul and Azul: Summer Pavilion on an Azulejo arena, and calls its
// engine.
//
// A [Bot] has one method. [Run] connects, is ready for every match, asks the bot for every turn,
// answers heartbeats, comes back after every interruption, and checks at the end of each match that
// its deals were not chosen. [Main] does the same for a whole program. [Engine] is the rules as calls.
package azulejo

// Version is the version of this SDK.
const Version = "0.1.0"

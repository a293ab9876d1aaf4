// Package azulejo is the Go SDK for bots that play Azul and Azul: Summer Pavilion on an Azulejo
// arena. It also calls the stateless engine.
//
// A [Bot] has one method. [Run] connects, confirms every match, asks the bot for a move on every
// turn, answers heartbeats, reconnects after interruptions, and verifies at the end of each match that
// its deals were not manipulated. [Main] is Run as a complete program. [Engine] is the client of the
// engine.
package azulejo

// Version is the version of this SDK.
const Version = "0.1.0"

#!/usr/bin/env python3
"""An engine without rules, for the second seat: it plays the plies of its command line, one a turn, then resigns."""

import sys

GAMES = "normal,alapo,alapo-demotion,rollerball"


def main():
    plies, playing = iter(sys.argv[1:]), False
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "protover":
            print(f'feature myname="Puppet" ping=1 setboard=1 usermove=1 colors=0 sigint=0 sigterm=0 variants="{GAMES}"')
            print("feature done=1")
        elif word == "ping":
            print("pong", rest)
        elif word == "go" or (word == "usermove" and playing):
            playing = True
            ply = next(plies, None)
            print(f"move {ply}" if ply else "resign")
        elif word == "quit":
            break
        sys.stdout.flush()


if __name__ == "__main__":
    main()

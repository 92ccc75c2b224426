# For OpenBench (and whoever likes make): `make EXE=carom` builds the fast profile and puts the program there.
EXE ?= carom

.PHONY: all
all:
	cargo build --profile dist
	cp target/dist/carom $(EXE)

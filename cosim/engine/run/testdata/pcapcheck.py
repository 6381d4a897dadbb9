#!/usr/bin/env python3
"""Reads a pcap file with the standard library alone and checks lengths and checksums of IP and UDP.

Prints the number of frames and exits with 0, or names the first frame that is wrong and exits with 1.
"""
import struct
import sys


def ones_sum(data):
    """Sum of RFC 1071 over big-endian words."""
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(">%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def wrong(frame):
    """Says what is wrong with a frame, or nothing."""
    at = 12
    while frame[at:at + 2] in (b"\x81\x00", b"\x88\xa8"):
        at += 4
    kind, ip = struct.unpack(">H", frame[at:at + 2])[0], frame[at + 2:]
    if kind == 0x0800:
        head = 4 * (ip[0] & 15)
        total = struct.unpack(">H", ip[2:4])[0]
        if ones_sum(ip[:head]) != 0xFFFF:
            return "IPv4 header checksum"
        if total > len(ip):
            return "IPv4 length"
        proto, pseudo, udp = ip[9], ip[12:20], ip[head:total]
    elif kind == 0x86DD:
        total = struct.unpack(">H", ip[4:6])[0]
        if 40 + total > len(ip):
            return "IPv6 length"
        proto, pseudo, udp = ip[6], ip[8:40], ip[40:40 + total]
    else:
        return "ethertype %04x" % kind
    if proto != 17:
        return "protocol %d" % proto
    if struct.unpack(">H", udp[4:6])[0] != len(udp):
        return "UDP length"
    if udp[6:8] != b"\0\0" and ones_sum(pseudo + struct.pack(">HH", 17, len(udp)) + udp) != 0xFFFF:
        return "UDP checksum"
    return None


def main(path):
    with open(path, "rb") as f:
        magic, _, _, _, _, _, link = struct.unpack("<IHHiIII", f.read(24))
        if magic != 0xA1B23C4D or link != 1:
            sys.exit("no Ethernet capture in nanoseconds")
        n, before = 0, (0, 0)
        while record := f.read(16):
            sec, ns, kept, size = struct.unpack("<IIII", record)
            if kept != size or (sec, ns) < before:
                sys.exit("frame %d: cut, or out of order" % n)
            before = sec, ns
            what = wrong(f.read(kept))
            if what:
                sys.exit("frame %d: %s" % (n, what))
            n += 1
    print(n)


main(sys.argv[1])

-- A packet trimmer on AXI-Streams of 64 bits, written from vectors/event/trimmer/contract.md alone. It keeps the first 256
-- bytes of a packet in halfwords, as which all header fields lie; decides in one cycle; adds up the UDP segment of a
-- trimmed packet, a halfword a cycle; sends what it kept, and passes on or drops the rest. One packet at a time.
--
-- BUG = 1 plants a fault: the UDP checksum covers the options of an IPv4 header.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity trim64 is
  generic (
    BUG : natural := 0
  );
  port (
    clk       : in  std_logic;
    rst       : in  std_logic;  -- synchronous, active high
    in_data   : in  std_logic_vector(63 downto 0);
    in_keep   : in  std_logic_vector(7 downto 0);
    in_last   : in  std_logic;
    in_trim   : in  std_logic;
    in_size   : in  unsigned(8 downto 0);
    in_hop    : in  std_logic;
    in_ce     : in  std_logic;
    in_len    : in  unsigned(15 downto 0);
    in_tag    : in  std_logic_vector(31 downto 0);
    in_valid  : in  std_logic;
    in_ready  : out std_logic;
    out_data  : out std_logic_vector(63 downto 0);
    out_keep  : out std_logic_vector(7 downto 0);
    out_last  : out std_logic;
    out_cut   : out std_logic;
    out_mark  : out std_logic;
    out_cause : out unsigned(3 downto 0);
    out_tag   : out std_logic_vector(31 downto 0);
    out_valid : out std_logic;
    out_ready : in  std_logic;
    req_kind  : in  unsigned(3 downto 0);
    req_addr  : in  unsigned(4 downto 0);
    req_data  : in  unsigned(31 downto 0);
    req_valid : in  std_logic;
    req_ready : out std_logic;
    ack_kind  : out unsigned(3 downto 0);
    ack_no    : out std_logic;
    ack_data  : out unsigned(31 downto 0);
    ack_valid : out std_logic;
    ack_ready : in  std_logic
  );
end entity;

architecture rtl of trim64 is
  type halves is array (natural range <>) of unsigned(15 downto 0);
  type words is array (natural range <>) of unsigned(31 downto 0);
  type states is (FILL, DECIDE, ADD, SEND, PASS, DROP);

  -- Why a packet is not trimmed, by the contract's codes.
  type causes is (NONE, TRUNCATED, ETHERTYPE, BAD_HEADER, FRAGMENT, EXTENSION, PROTOCOL, BAD_LENGTH, OTHER_PORT, OTHER_TYPE,
                  SHORT);

  -- What the headers of a packet give.
  type verdict is record
    cause   : causes;
    headers : boolean;                -- it has an IP header
    six     : boolean;                -- which is of IPv6
    ip, udp : natural range 0 to 63;  -- where IP and UDP begin, in halfwords
    start   : halves(0 to 5);         -- of the IP header
    size    : natural range 0 to 511; -- bytes of the trimmed packet
  end record;

  -- The sum in ones' complement.
  function plus (a, b : unsigned(15 downto 0)) return unsigned is
    variable x : unsigned(16 downto 0);
  begin
    x := resize(a, 17) + b;
    return x(15 downto 0) + x(16 downto 16);
  end function;

  function flag (b : boolean) return std_logic is
  begin
    if b then
      return '1';
    end if;
    return '0';
  end function;

  -- Steps 2 to 9 of the contract's decision; the one that ends it returns.
  function judge (head : halves; known, len, want, least, uet_port : natural) return verdict is
    variable v    : verdict := (TRUNCATED, false, false, 7, 0, (others => x"0000"), 0);
    variable ip   : halves(0 to 34);
    variable udp  : halves(0 to 4);
    variable kind : unsigned(15 downto 0);
    variable b    : unsigned(7 downto 0);
    variable plen : natural range 0 to 65535;
  begin
    if known < 14 then
      return v;
    end if;
    kind := head(6);
    ip := head(7 to 41);
    for tags in 1 to 2 loop
      exit when kind /= x"8100" and kind /= x"88a8";
      if known < 14 + 4 * tags then
        return v;
      end if;
      v.ip := 7 + 2 * tags;
      kind := head(6 + 2 * tags);
      ip := head(7 + 2 * tags to 41 + 2 * tags);
    end loop;
    v.start := ip(0 to 5);
    v.six := kind = x"86dd";
    b := ip(0)(15 downto 8);
    if v.six then
      if known < 2 * v.ip + 40 then
        return v;
      end if;
      v.cause := BAD_HEADER;
      if b(7 downto 4) /= 6 then
        return v;
      end if;
      v.headers := true;
      v.udp := v.ip + 20;
      udp := ip(20 to 24);
      plen := to_integer(ip(2));
      v.cause := TRUNCATED;
      if len < 2 * v.udp + plen then
        return v;
      end if;
      b := ip(3)(15 downto 8);
      v.cause := FRAGMENT;
      if b = 44 then
        return v;
      end if;
      v.cause := EXTENSION;
      if b = 0 or b = 43 or b = 50 or b = 51 or b = 60 or b = 135 then
        return v;
      end if;
    else
      v.cause := ETHERTYPE;
      if kind /= x"0800" then
        return v;
      end if;
      v.cause := TRUNCATED;
      if known < 2 * v.ip + 20 then
        return v;
      end if;
      v.cause := BAD_HEADER;
      if b(7 downto 4) /= 4 or b(3 downto 0) < 5 then
        return v;
      end if;
      for n in 5 to 15 loop
        if b(3 downto 0) = n then
          v.udp := v.ip + 2 * n;
          udp := ip(2 * n to 2 * n + 4);
        end if;
      end loop;
      v.cause := TRUNCATED;
      if known < 2 * v.udp then
        return v;
      end if;
      v.headers := true;
      v.cause := BAD_LENGTH;
      if ip(1) < 2 * (v.udp - v.ip) then
        return v;
      end if;
      plen := to_integer(ip(1)) - 2 * (v.udp - v.ip);
      v.cause := TRUNCATED;
      if len < 2 * v.udp + plen then
        return v;
      end if;
      v.cause := FRAGMENT;
      if ip(3)(13 downto 0) /= 0 then
        return v;
      end if;
      b := ip(4)(7 downto 0);
    end if;
    v.cause := PROTOCOL;
    if b /= 17 then
      return v;
    end if;
    v.cause := BAD_LENGTH;
    if plen < 10 or udp(2) /= plen then
      return v;
    end if;
    v.cause := OTHER_PORT;
    if want = 0 and udp(1) /= uet_port then
      return v;
    end if;
    v.cause := OTHER_TYPE;
    b := udp(4)(15 downto 8);
    if b(7 downto 3) /= 2 and b(7 downto 3) /= 3 and b(7 downto 3) /= 13 and b(7 downto 3) /= 14 then
      return v;
    end if;
    v.size := minimum(want, 256);
    if want = 0 then
      v.size := least;
    end if;
    v.size := maximum(v.size, 2 * v.udp + 24);
    v.cause := SHORT;
    if v.size < 2 * v.udp + plen then
      v.cause := NONE;
    end if;
    return v;
  end function;

  signal state       : states;
  signal head        : halves(0 to 127);
  signal got, sent   : natural range 0 to 32;   -- beats in head, and those of them that were sent
  signal known, size : natural range 0 to 511;  -- bytes in head, and those to send
  signal ended       : std_logic;               -- head holds the whole packet
  signal trim, hop   : std_logic;
  signal ce          : std_logic;
  signal cut, mark   : std_logic;
  signal want        : natural range 0 to 511;
  signal len         : unsigned(15 downto 0);
  signal tag         : std_logic_vector(31 downto 0);
  signal cause       : causes;
  signal parsed      : verdict;
  signal at          : natural range 0 to 255;  -- the halfword that is added next
  signal sum         : unsigned(15 downto 0);
  signal more        : std_logic;               -- beats of head are left after the one that is sent
  signal count       : words(0 to 13);
  signal regs        : words(0 to 4);
  signal full        : std_logic;
begin
  in_ready  <= flag(state = FILL or state = DROP) or (flag(state = PASS) and out_ready);
  out_valid <= flag(state = SEND) or (flag(state = PASS) and in_valid);
  out_cut   <= cut;
  out_mark  <= mark;
  out_cause <= to_unsigned(causes'pos(cause), 4);
  out_tag   <= tag;

  -- A beat of head, or one that is passed on.
  process (all)
    variable bytes : unsigned(15 downto 0);
  begin
    more <= flag(sent + 1 < got);
    if cut = '1' then
      more <= flag(8 * sent + 8 < size);
    end if;
    out_data <= in_data;
    out_keep <= in_keep;
    out_last <= in_last;
    if state = SEND then
      out_last <= (cut or ended) and not more;
      out_data <= (others => '0');
      out_keep <= (others => '0');
      for k in 0 to 7 loop
        bytes := head(k / 2);
        if 8 * sent + k < size then
          out_keep(k) <= '1';
          out_data(8 * k + 7 downto 8 * k) <= std_logic_vector(bytes(15 - k mod 2 * 8 downto 8 - k mod 2 * 8));
        end if;
      end loop;
    end if;
  end process;

  process (clk)
    variable v             : verdict;
    variable trimmed       : boolean;
    variable frame         : natural range 0 to 65535;
    variable class         : unsigned(7 downto 0);
    variable was, now      : unsigned(15 downto 0);  -- the halfword that holds the class
    variable total, length : unsigned(15 downto 0);  -- of IPv4; of UDP, and of IPv6
    variable check, addend : unsigned(15 downto 0);
    variable n             : natural range 0 to 8;   -- bytes of a beat
  begin
    if rising_edge(clk) then
      case state is
        when FILL =>
          if in_valid = '1' then
            n := 0;
            for k in 0 to 7 loop
              if in_keep(k) = '1' and n = k then
                n := k + 1;
              end if;
            end loop;
            for b in 0 to 31 loop
              if b = got then
                for k in 0 to 3 loop
                  head(4 * b + k) <= unsigned(in_data(16 * k + 7 downto 16 * k)) &
                                     unsigned(in_data(16 * k + 15 downto 16 * k + 8));
                end loop;
              end if;
            end loop;
            if got = 0 then
              trim <= in_trim;
              want <= to_integer(in_size);
              hop  <= in_hop;
              ce   <= in_ce;
              len  <= in_len;
              tag  <= in_tag;
            end if;
            known <= 8 * got + n;
            ended <= in_last;
            got   <= got + 1;
            if in_last = '1' or got = 31 then
              state <= DECIDE;
            end if;
          end if;

        when DECIDE =>
          frame := to_integer(len);
          if ended = '1' then
            frame := known;
          end if;
          v := judge(head, known, frame, want, to_integer(maximum(regs(0)(8 downto 0), regs(1)(8 downto 0))),
                     to_integer(regs(2)(15 downto 0)));
          parsed <= v;
          was := v.start(0);
          if v.six then
            class := was(11 downto 4);
          else
            class := was(7 downto 0);
          end if;
          trimmed := trim = '1' and v.cause = NONE;
          state   <= SEND;
          cause   <= NONE;
          cut     <= flag(trimmed);
          mark    <= '0';
          size    <= known;
          total   := v.start(1);
          length  := x"0000";
          count(0) <= count(0) + 1;
          if trimmed then
            state  <= ADD;
            size   <= v.size;
            total  := to_unsigned(v.size - 2 * v.ip, 16);
            length := to_unsigned(v.size - 2 * v.udp, 16);
            if hop = '1' then
              class(7 downto 2) := regs(4)(5 downto 0);
              count(12) <= count(12) + 1;
            else
              class(7 downto 2) := regs(3)(5 downto 0);
              count(11) <= count(11) + 1;
            end if;
            sum <= length + 17;
            at  <= v.ip + 6;  -- addresses of IPv4
            if v.six then
              at <= v.ip + 4;
            end if;
          elsif trim = '1' then
            cause <= v.cause;
            count(causes'pos(v.cause)) <= count(causes'pos(v.cause)) + 1;
          end if;
          if ce = '1' and v.headers and (class(1) xor class(0)) = '1' then
            class(1 downto 0) := "11";
            mark <= '1';
            count(13) <= count(13) + 1;
          end if;
          now := was;
          if v.six then
            now(11 downto 4) := class;
          else
            now(7 downto 0) := class;
          end if;
          check := plus(plus(plus(plus(not v.start(5), not was), now), not v.start(1)), total);  -- RFC 1624
          for i in 7 to 11 loop
            if i = v.ip and v.headers then
              head(i) <= now;
              if v.six and trimmed then
                head(i + 2) <= length;
              elsif not v.six then
                head(i + 1) <= total;
                if trimmed or now /= was then
                  head(i + 5) <= not check;
                end if;
              end if;
            end if;
          end loop;
          for i in 17 to 41 loop
            if i = v.udp and trimmed then
              head(i + 2) <= length;
            end if;
          end loop;

        when ADD =>
          addend := head(at mod 128);
          if 2 * at + 1 = size then
            addend(7 downto 0) := x"00";
          end if;
          if 2 * at >= size then
            check := not sum;
            if check = 0 then
              check := x"ffff";
            end if;
            for i in 17 to 41 loop
              if i = parsed.udp and head(i + 3) /= 0 then
                head(i + 3) <= check;
              end if;
            end loop;
            state <= SEND;
          elsif at /= parsed.udp + 3 then  -- the checksum itself
            sum <= plus(sum, addend);
          end if;
          at <= at + 1;
          if at = parsed.ip + 9 and not parsed.six and BUG /= 1 then
            at <= parsed.udp;
          end if;

        when SEND =>
          if out_ready = '1' then
            sent <= sent + 1;
            head(0 to 123) <= head(4 to 127);
            if more = '0' then
              sent <= 0;
              got  <= 0;
              if ended = '1' then
                state <= FILL;
              elsif cut = '1' then
                state <= DROP;
              else
                state <= PASS;
              end if;
            end if;
          end if;

        when PASS | DROP =>
          if in_valid = '1' and in_last = '1' and (state = DROP or out_ready = '1') then
            state <= FILL;
          end if;
      end case;

      if full = '1' and ack_ready = '1' then
        full <= '0';
      end if;
      if req_valid = '1' and full = '0' then
        full     <= '1';
        ack_kind <= req_kind;
        ack_no   <= '0';
        ack_data <= (others => '0');
        if (req_kind = 1 or req_kind = 2) and req_addr < 14 then
          if req_kind = 1 then
            count(to_integer(req_addr)) <= req_data;
          else
            ack_data <= count(to_integer(req_addr));
          end if;
        elsif (req_kind = 4 or (req_kind = 3 and (req_addr > 1 or req_data <= 256))) and req_addr < 5 then
          if req_kind = 4 then
            ack_data <= regs(to_integer(req_addr));
          elsif req_addr = 2 then
            regs(2) <= resize(req_data(15 downto 0), 32);
          elsif req_addr < 2 then
            regs(to_integer(req_addr)) <= req_data;
          else
            regs(to_integer(req_addr)) <= resize(req_data(5 downto 0), 32);
          end if;
        else
          ack_no <= '1';
        end if;
      end if;

      if rst = '1' then
        state <= FILL;
        got   <= 0;
        sent  <= 0;
        full  <= '0';
        count <= (others => (others => '0'));
        regs  <= (to_unsigned(64, 32), to_unsigned(64, 32), to_unsigned(4793, 32), to_unsigned(16, 32),
                  to_unsigned(18, 32));
      end if;
    end if;
  end process;
  req_ready <= not full;
  ack_valid <= full;
end architecture;

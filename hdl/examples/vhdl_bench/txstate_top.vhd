-- txstate in VHDL-2008, from vectors/event/txstate/contract.md and vectors/event/timing.md.
--
-- An event is looked up, answered and stored in the cycle of its issue; its answer then waits until LATENCY cycles have
-- passed. rst_ni clears the state at the clock edge and closes the ports at once.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity txstate_top is
  generic (
    NumPdcs : positive := 16;
    Depth : positive := 64  -- a power of two
  );
  port (
    clk_i : in std_logic;
    rst_ni : in std_logic;

    ev_valid_i : in std_logic;
    ev_ready_o : out std_logic;
    ev_kind_i : in std_logic_vector(2 downto 0);
    ev_pdc_i : in std_logic_vector(15 downto 0);
    ev_psn_i : in std_logic_vector(31 downto 0);
    ev_now_i : in std_logic_vector(47 downto 0);
    ev_is_rtx_i : in std_logic;
    ev_retx_i : in std_logic;
    ev_service_time_i : in std_logic_vector(15 downto 0);
    ev_load_valid_i : in std_logic;
    ev_load_rtx_count_i : in std_logic_vector(1 downto 0);
    ev_time_shift_i : in std_logic_vector(2 downto 0);

    rsp_valid_o : out std_logic;
    rsp_ready_i : in std_logic;
    rsp_kind_o : out std_logic_vector(2 downto 0);
    rsp_pdc_o : out std_logic_vector(15 downto 0);
    rsp_psn_o : out std_logic_vector(31 downto 0);
    rsp_found_o : out std_logic;
    rsp_tx_time_o : out std_logic_vector(47 downto 0);
    rsp_rtx_count_o : out std_logic_vector(1 downto 0);
    rsp_rtt_valid_o : out std_logic;
    rsp_rtt_o : out std_logic_vector(31 downto 0);
    rsp_evicted_o : out std_logic;
    rsp_unknown_rtx_o : out std_logic;
    rsp_no_pdc_o : out std_logic;
    rsp_refused_o : out std_logic
  );
end entity;

architecture rtl of txstate_top is
  constant LATENCY : positive := 4;
  constant STALL : positive := 4;
  constant IN_FIFO_DEPTH : positive := 2;
  constant CREDITS : positive := 8;

  constant SEND : natural := 0;
  constant ACK : natural := 1;
  constant NACK : natural := 2;
  constant LOAD : natural := 3;
  constant READ : natural := 4;
  constant CFG_WRITE : natural := 5;

  type event is record
    kind : natural range 0 to 7;
    pdc : unsigned(15 downto 0);
    psn : unsigned(31 downto 0);
    now : unsigned(47 downto 0);
    is_rtx, retx : std_logic;
    service_time : unsigned(15 downto 0);
    load_valid : std_logic;
    load_rtx_count : unsigned(1 downto 0);
    time_shift : unsigned(2 downto 0);
  end record;

  type response is record
    kind : natural range 0 to 7;
    pdc : unsigned(15 downto 0);
    psn : unsigned(31 downto 0);
    found : std_logic;
    tx_time : unsigned(47 downto 0);
    rtx_count : unsigned(1 downto 0);
    rtt_valid : std_logic;
    rtt : unsigned(31 downto 0);
    evicted, unknown_rtx, no_pdc, refused : std_logic;
  end record;

  type entry is record
    valid : std_logic;
    psn : unsigned(31 downto 0);
    tx_time : unsigned(47 downto 0);
    rtx_count : unsigned(1 downto 0);
  end record;

  constant EMPTY : entry := ('0', (others => '0'), (others => '0'), "00");

  -- The key of an event, of all pdc, those out of range too.
  subtype key_t is natural range 0 to 2**16 * Depth - 1;

  type past is record
    issued : boolean;
    keyed : boolean;
    key : key_t;
  end record;

  type events is array (natural range <>) of event;
  type responses is array (natural range <>) of response;
  type flags is array (natural range <>) of boolean;
  type pasts is array (natural range <>) of past;
  type entries is array (natural range <>) of entry;

  signal waiting : events(0 to IN_FIFO_DEPTH - 1);  -- the head is 0
  signal q : natural range 0 to IN_FIFO_DEPTH := 0;
  signal used : natural range 0 to CREDITS := 0;
  signal swept : natural range 0 to NumPdcs * Depth := 0;
  signal time_shift : unsigned(2 downto 0) := "111";
  signal history : pasts(1 to STALL - 1);
  signal moving : responses(1 to LATENCY - 1);
  signal moves : flags(1 to LATENCY - 1) := (others => false);
  signal done : responses(0 to CREDITS - 1);  -- the head is 0
  signal ready_count : natural range 0 to CREDITS := 0;
  signal table : entries(0 to NumPdcs * Depth - 1) := (others => EMPTY);
  signal ev_ready, rsp_valid : std_logic;

  function key_of (e : event) return key_t is
  begin
    return to_integer(e.pdc) * Depth + to_integer(e.psn mod Depth);
  end function;

  -- The answer to an ACK or NACK that hits an entry, sample included.
  procedure sample (r : inout response; e : event; x : entry; shift : unsigned) is
    variable service, raw : unsigned(47 downto 0) := (others => '0');
    variable ok, usable : boolean;
  begin
    r.found := '1';
    r.tx_time := x.tx_time;
    r.rtx_count := x.rtx_count;
    if e.kind = ACK then
      service := shift_left(resize(e.service_time, 48), to_integer(shift));
    end if;
    raw := e.now - x.tx_time - service;
    ok := (x.rtx_count = 0 and e.retx = '0') or (x.rtx_count = 1 and e.retx = '1');
    usable := e.kind = NACK or (e.service_time /= 0 and e.service_time /= 16#FFFF#);
    if ok and usable and raw /= 0 and raw(47 downto 31) = 0 then
      r.rtt_valid := '1';
      r.rtt := raw(31 downto 0);
    end if;
  end procedure;
begin
  ev_ready <= '1' when rst_ni = '1' and swept = NumPdcs * Depth and q < IN_FIFO_DEPTH else '0';
  rsp_valid <= '1' when rst_ni = '1' and ready_count > 0 else '0';
  ev_ready_o <= ev_ready;
  rsp_valid_o <= rsp_valid;

  rsp_kind_o <= std_logic_vector(to_unsigned(done(0).kind, 3));
  rsp_pdc_o <= std_logic_vector(done(0).pdc);
  rsp_psn_o <= std_logic_vector(done(0).psn);
  rsp_found_o <= done(0).found;
  rsp_tx_time_o <= std_logic_vector(done(0).tx_time);
  rsp_rtx_count_o <= std_logic_vector(done(0).rtx_count);
  rsp_rtt_valid_o <= done(0).rtt_valid;
  rsp_rtt_o <= std_logic_vector(done(0).rtt);
  rsp_evicted_o <= done(0).evicted;
  rsp_unknown_rtx_o <= done(0).unknown_rtx;
  rsp_no_pdc_o <= done(0).no_pdc;
  rsp_refused_o <= done(0).refused;

  process (clk_i)
    variable e : event;
    variable r : response;
    variable x : entry;
    variable row : natural;
    variable hit, issue, blocked : boolean;
    variable left, count : natural;
  begin
    if rising_edge(clk_i) then
      if rst_ni /= '1' then
        q <= 0;
        used <= 0;
        swept <= 0;
        time_shift <= "111";
        history <= (others => (false, false, 0));
        moves <= (others => false);
        ready_count <= 0;
      else
        if swept < NumPdcs * Depth then
          table(swept) <= EMPTY;
          swept <= swept + 1;
        end if;

        -- Issue of the event at the head.
        e := waiting(0);
        issue := q > 0 and used < CREDITS;
        if issue then
          blocked := false;
          for i in history'range loop
            if e.kind = CFG_WRITE then
              blocked := blocked or history(i).issued;
            else
              blocked := blocked or (history(i).issued and history(i).keyed and history(i).key = key_of(e));
            end if;
          end loop;
          issue := not blocked;
        end if;
        history(2 to STALL - 1) <= history(1 to STALL - 2);
        history(1) <= (false, false, 0);
        if issue then
          history(1) <= (true, e.kind /= CFG_WRITE, key_of(e));
          r := (e.kind, e.pdc, e.psn, '0', (others => '0'), "00", '0', (others => '0'), '0', '0', '0', '0');
          if e.kind > CFG_WRITE then
            r.refused := '1';
          elsif e.kind = CFG_WRITE then
            time_shift <= e.time_shift;
          elsif e.pdc >= NumPdcs then
            r.no_pdc := '1';
          else
            row := key_of(e);
            x := table(row);
            hit := x.valid = '1' and x.psn = e.psn;
            case e.kind is
              when SEND =>
                if hit then
                  r.found := '1';
                  r.rtx_count := "10" when x.rtx_count >= 1 else "01";
                else
                  r.evicted := x.valid;
                  r.unknown_rtx := e.is_rtx;
                  r.rtx_count := "10" when e.is_rtx = '1' else "00";
                end if;
                r.tx_time := e.now;
                table(row) <= ('1', e.psn, e.now, r.rtx_count);
              when ACK | NACK =>
                if hit then
                  sample(r, e, x, time_shift);
                  if e.kind = ACK then
                    table(row).valid <= '0';
                  end if;
                end if;
              when LOAD =>
                r.found := '1' when hit else '0';
                r.tx_time := e.now;
                r.rtx_count := "10" when e.load_rtx_count = 3 else e.load_rtx_count;
                table(row) <= (e.load_valid, e.psn, e.now, r.rtx_count);
              when others =>  -- READ
                if x.valid = '1' then
                  r.found := '1';
                  r.psn := x.psn;
                  r.tx_time := x.tx_time;
                  r.rtx_count := x.rtx_count;
                end if;
            end case;
          end if;
          moving(1) <= r;
        end if;
        moves(1) <= issue;
        moving(2 to LATENCY - 1) <= moving(1 to LATENCY - 2);
        moves(2 to LATENCY - 1) <= moves(1 to LATENCY - 2);

        -- The queue of events: the head leaves, another comes.
        left := q;
        if issue then
          waiting(0) <= waiting(1);
          left := left - 1;
        end if;
        if ev_valid_i = '1' and ev_ready = '1' then
          waiting(left) <= (to_integer(unsigned(ev_kind_i)), unsigned(ev_pdc_i), unsigned(ev_psn_i), unsigned(ev_now_i),
            ev_is_rtx_i, ev_retx_i, unsigned(ev_service_time_i), ev_load_valid_i, unsigned(ev_load_rtx_count_i),
            unsigned(ev_time_shift_i));
          left := left + 1;
        end if;
        q <= left;

        -- The queue of answers, likewise.
        left := ready_count;
        count := used;
        if rsp_valid = '1' and rsp_ready_i = '1' then
          done(0 to CREDITS - 2) <= done(1 to CREDITS - 1);
          left := left - 1;
          count := count - 1;
        end if;
        if moves(LATENCY - 1) then
          done(left) <= moving(LATENCY - 1);
          left := left + 1;
        end if;
        ready_count <= left;
        used <= count + 1 when issue else count;
      end if;
    end if;
  end process;
end architecture;

-- The averages of ../old_new in VHDL: one sample at a time, its answer in the cycle after the next. BUG = 1 rounds a tie
-- down.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity ewma is
  generic (
    BUG : natural := 0
  );
  port (
    clk       : in  std_logic;
    rst       : in  std_logic;  -- synchronous, active high
    in_valid  : in  std_logic;
    in_ready  : out std_logic;
    in_chan   : in  unsigned(1 downto 0);
    in_init   : in  std_logic;
    in_gain   : in  unsigned(7 downto 0);
    in_x      : in  unsigned(15 downto 0);
    out_valid : out std_logic;
    out_ready : in  std_logic;
    out_chan  : out unsigned(1 downto 0);
    out_y     : out unsigned(19 downto 0)
  );
end entity;

architecture rtl of ewma is
  type averages is array (0 to 3) of unsigned(19 downto 0);
  signal avg         : averages;
  signal busy, full  : std_logic;
  signal chan        : unsigned(1 downto 0);
  signal init        : std_logic;
  signal gain        : unsigned(7 downto 0);
  signal x           : unsigned(15 downto 0);
  signal y           : unsigned(19 downto 0);
  signal next_y      : unsigned(19 downto 0);
begin
  in_ready  <= not busy and not full;
  out_valid <= full;
  out_chan  <= chan;
  out_y     <= y;

  step : process (avg, chan, init, gain, x)
    variable old     : signed(20 downto 0);
    variable product : signed(30 downto 0);
    variable moved   : signed(30 downto 0);
  begin
    old     := signed(resize(avg(to_integer(chan)), 21));
    product := (signed(shift_left(resize(x, 21), 4)) - old) * signed(resize(gain, 10));
    moved   := shift_right(product + 128 - BUG, 8);
    if init = '1' then
      next_y <= shift_left(resize(x, 20), 4);
    else
      next_y <= unsigned(old(19 downto 0)) + unsigned(moved(19 downto 0));
    end if;
  end process;

  process (clk)
  begin
    if rising_edge(clk) then
      if in_valid = '1' and busy = '0' and full = '0' then
        busy <= '1';
        chan <= in_chan;
        init <= in_init;
        gain <= in_gain;
        x    <= in_x;
      end if;
      if busy = '1' then
        busy <= '0';
        full <= '1';
        y    <= next_y;
        avg(to_integer(chan)) <= next_y;
      end if;
      if full = '1' and out_ready = '1' then
        full <= '0';
      end if;
      if rst = '1' then
        busy <= '0';
        full <= '0';
        avg  <= (others => (others => '0'));
      end if;
    end if;
  end process;
end architecture;

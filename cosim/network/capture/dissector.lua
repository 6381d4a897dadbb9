local uet = Proto("uet", "Ultra Ethernet Transport")
local protofields, forms, list = {}, {}, {}
for _, f in ipairs(fields) do
  local name, bits, about, signed, values = f[1], f[2], f[3], f[4], f[5]
  local width = bits <= 8 and 8 or bits <= 16 and 16 or bits <= 32 and 32 or 64
  local kind = (signed and "int" or "uint") .. width
  local base = (bits == 64 or name == "int.magic") and base.HEX or base.DEC
  protofields[name] = ProtoField[kind]("uet." .. name, about, base, values)
  forms[name] = {bits, signed, values or {}}
  list[#list + 1] = protofields[name]
end
local class_field = ProtoField.string("uet.class", "what the codepoint shows")
list[#list + 1] = class_field
uet.fields = list
local dscp = Field.new("ip.dsfield.dscp")
local short = ProtoExpert.new("uet.short", "the packet ends within a header", expert.group.MALFORMED,
  expert.severity.ERROR)
uet.experts = {short}

-- value returns a field of a header that begins at byte first.
local function value(buffer, first, at, bits)
  if bits == 64 then
    return buffer(first + at / 8, 8):uint64()
  end
  return buffer(first + math.floor(at / 8), math.ceil((at % 8 + bits) / 8)):bitfield(at % 8, bits)
end

-- show adds a header that begins at byte first to the tree. It returns its values, nil when the packet ends within it.
local function show(buffer, first, name, tree)
  local about, length, rows = headers[name][1], headers[name][2], headers[name][3]
  if buffer:len() < first + length then
    tree:add_proto_expert_info(short)
    return nil
  end
  local sub, values = tree:add(uet, buffer(first, length), about), {}
  local function add(field, at, bits)
    local v = value(buffer, first, at, bits)
    if forms[field][2] and v >= 2 ^ (bits - 1) then
      v = v - 2 ^ bits
    end
    sub:add(protofields[field], buffer(first + math.floor(at / 8), math.ceil((at % 8 + bits) / 8)), v)
    values[field] = v
  end
  for _, r in ipairs(rows) do
    if r[1] == "dpdcid" and values.syn == 1 then
      for _, o in ipairs(headers.opening[3]) do
        add(o[1], r[2] + o[2], o[3])
      end
    else
      add(r[1], r[2], r[3])
    end
  end
  return values, first + length
end

-- telemetry shows the INT header at byte first, if one is there, and its entries.
local function telemetry(buffer, first, tree)
  if buffer:len() < first + 8 or buffer(first, 2):uint() ~= int_magic then
    return
  end
  local values, at = show(buffer, first, "int", tree)
  for _ = 1, values["int.hops"] do
    local entry
    entry, at = show(buffer, at, "int_entry", tree)
    if not entry then
      return
    end
  end
end

function uet.dissector(buffer, pinfo, root)
  if buffer:len() < 1 then
    return 0
  end
  local kind = math.floor(buffer(0, 1):uint() / 8)
  local name = header_of[kind]
  if not name then
    return 0
  end
  pinfo.cols.protocol = "UET"
  local tree = root:add(uet, buffer())
  local code = dscp()
  if code and class_of[code.value] then
    tree:add(class_field, class_of[code.value]):set_generated()
  end
  local values, rest = show(buffer, 0, name, tree)
  if not values then
    return buffer:len()
  end
  local psn = values.psn or values.cack_psn or values.nack_psn
  local about = forms.ctl_type[3][values.ctl_type] or headers[name][1]
  pinfo.cols.info = about .. ", PSN " .. psn .. ", PDC " .. values.spdcid
  if name == "request" or name == "ack_cc" then
    telemetry(buffer, rest, tree)
  end
  return buffer:len()
end

DissectorTable.get("udp.port"):add(udp_port, uet)

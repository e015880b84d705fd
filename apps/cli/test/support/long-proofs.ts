/**
 * Expressions whose proof takes longer than that of the six hundred others together: the quick run of the tests reuses
 * the proof of the last complete run. An expression that is changed in any way is a new one, and is proven at once.
 */
export const longProofs: readonly RegExp[] = [
  /^\s*(?<item>(?:[-*+]|\d{1,9}[.)])\s+)?(?<open>[*_`[]{0,4})(?<id>(?:FR|SC)-(?:[A-Za-z]{1,12}-)?\d{1,6}[a-z]?)(?<close>:?[*_`\]]{0,4}:?)(?<next>[\p{L}\p{N}-]?)/iu,
  /^([ \t]+\w+ text|alter table \w+ add column \w+ text)([^\w[]|$)/gm,
  /^\[mcp_servers\.specboard\][^\n]*(?:\n(?:[^[\n][^\n]*)?)*/m,
  /^(?:[-*] )?\*\*([^*]{1,40})\*\*(.*)$/,
  /^(?:(?:T|,? (?:at )?)(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,12}))?)?(?: ?(?<half>[AP])\.?M\.?)?(?: ?(?<zone>Z|(?:UTC|GMT)?[+-]\d\d(?::?\d\d)?|UTC|GMT))?(?: \([^()]*\))?)?$/i,
  /^(?:row \d+ missing from|row \d+ values differ from|wrong # of entries in) index (\S+)$/,
  /^(?:id|status|method|scenario_type|evidence|latest_evidence|selected|linked_\w+|\w+_ids?|\w+_at)$/,
  /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?\*{0,2}(GIVEN|WHEN|THEN|AND|BUT)\b/i,
  /^([A-Za-z][A-Za-z0-9]{1,9}-[1-9][0-9]{0,14})\/(.+)$/,
  /filename="([A-Z0-9]+-[0-9]{8}\.specboard\.zip)"/,
  /^events (\d{1,16})((?: \d{1,16})*)$/,
  /^created(?:_at)?:[ \t]*["']?([^"'\n]+)/m,
  /^(ADDED|MODIFIED|REMOVED|RENAMED)\s+Requirements\b/i,
  /^(?:application|image)\/(?:[\w.-]+\+)?(?:json|jsonl|x-ndjson|xml|yaml|x-yaml|toml|javascript|sql|graphql)$/,
]

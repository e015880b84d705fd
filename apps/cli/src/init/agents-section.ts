/** The section of AGENTS.md that tells agents how to find their work. */

const begin = '<!-- specboard:begin -->'
const end = '<!-- specboard:end -->'

const section = (board: string): string => `${begin}
## Specboard

The work of this project is tracked on the Specboard board ${board}, over MCP (server \`specboard\`).

- Begin with \`list_my_inbox\`: it says what you hold, what waits for you, why, and the call to make.
- A small change needs no spec: \`create_card\` with a title and \`claim: true\`, do it, \`move_card\` to \`done\` with \`conclusion\` and \`check\` (how you checked it).
- Planned work: \`claim_next_card\` gives you a card that nobody else works on; read \`specboard://cards/{ref}\`, and keep how far you are with \`save_checkpoint\`.
- A finished card goes to \`validation\` where the board asks for a second pair of eyes, else to \`done\`. A refused move says what is missing; \`get_allowed_moves\` says it before.
- A failed card comes back to who worked on it: it stands first in \`list_my_inbox\`.
- Nothing to do: \`list_my_inbox\` or \`claim_next_card\` with \`wait_ms: 50000\` waits for something.
- Without MCP: \`specboard ready\`, \`take\`, \`show REF\`, \`note REF TEXT\`, \`done REF CONCLUSION --check …\`, \`add TITLE --take\`.
- The board is ${board}; records are called by reference, such as ${board}-1.
${end}`

/**
 * The text of AGENTS.md with the section between its markers; everything else is unchanged.
 * @param present the text of the file; empty if it does not exist
 */
export const withSection = (present: string, board: string): string => marked(present, section(board))

/** The text of CLAUDE.md, by which Claude Code reads AGENTS.md, unless it does so already (crew 8.10). */
export const withReference = (present: string): string =>
  /^@AGENTS\.md\s*$/m.test(present) ? present : marked(present, `${begin}\n@AGENTS.md\n${end}`)

function marked(present: string, wanted: string): string {
  const [from, to] = [present.indexOf(begin), present.indexOf(end)]
  if (from !== -1 && to > from) return present.slice(0, from) + wanted + present.slice(to + end.length)
  const gap = present === '' ? '' : present.endsWith('\n') ? '\n' : '\n\n'
  return `${present}${gap}${wanted}\n`
}

/** The text of AGENTS.md or CLAUDE.md without the section; empty if it contains nothing else. */
export function withoutSection(present: string): string {
  const [from, to] = [present.indexOf(begin), present.indexOf(end)]
  if (from === -1 || to < from) return present
  const before = present.slice(0, from).trimEnd()
  const after = present.slice(to + end.length).trimStart()
  const rest = [before, after].filter(part => part !== '').join('\n\n')
  return rest === '' ? '' : rest.endsWith('\n') ? rest : `${rest}\n`
}

/** The section of AGENTS.md that tells agents how to find their work. */

const begin = '<!-- specboard:begin -->'
const end = '<!-- specboard:end -->'

const section = (board: string): string => `${begin}
## Specboard

The work of this project is tracked on the Specboard board ${board}, over MCP (server \`specboard\`).

- Begin with \`list_my_inbox\`: it says what waits for you, why, and the call to make.
- \`list_ready_cards\` lists what can be begun; \`claim_card\` it before you work on it.
- A refused move says what is missing. \`get_allowed_moves\` says what you may do next.
- Move a card to \`done\` with a conclusion of what was done.
${end}`

/**
 * The text of AGENTS.md with the section between its markers; everything else stays.
 * @param present the text of the file; empty where there is none
 */
export function withSection(present: string, board: string): string {
  const wanted = section(board)
  const [from, to] = [present.indexOf(begin), present.indexOf(end)]
  if (from !== -1 && to > from) return present.slice(0, from) + wanted + present.slice(to + end.length)
  const gap = present === '' ? '' : present.endsWith('\n') ? '\n' : '\n\n'
  return `${present}${gap}${wanted}\n`
}

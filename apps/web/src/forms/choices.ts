/** The choices in a text, one per line, each with an id of its own. */
export const choicesIn = (text: string): { id: string; label: string }[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .map((label, index) => ({ id: `c${index + 1}`, label }))

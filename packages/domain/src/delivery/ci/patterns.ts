/** Patterns of refs and workflows: `*` matches any characters but `/`, `**` any (evidence 6.2). Pure. */

/** Whether a text matches a pattern; linear in both. */
export function fits(pattern: string, text: string): boolean {
  const steps = pattern.split(/(\*+)/).filter(step => step !== '')
  // The positions in the text that the steps so far can reach.
  let places = new Set([0])
  for (const step of steps) {
    places = step.startsWith('*') ? along(text, places, step.length > 1) : past(text, places, step)
    if (places.size === 0) return false
  }
  return places.has(text.length)
}

/** The positions that some characters can reach. */
function along(text: string, from: ReadonlySet<number>, crosses: boolean): Set<number> {
  const found = new Set<number>()
  let isOpen = false
  for (let at = 0; at <= text.length; at++) {
    if (!crosses && at > 0 && text[at - 1] === '/') isOpen = false
    isOpen ||= from.has(at)
    if (isOpen) found.add(at)
  }
  return found
}

function past(text: string, from: ReadonlySet<number>, step: string): Set<number> {
  const found = new Set<number>()
  for (const at of from) if (text.startsWith(step, at)) found.add(at + step.length)
  return found
}

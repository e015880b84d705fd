/** The steps of a scenario: a list whose lines begin with GIVEN, WHEN, THEN or AND, bold or plain. */

interface Steps {
  given: string
  when: string
  then: string
  /** Text that belongs to no step. */
  notes: string | null
}

const stepStart = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?\*{0,2}(GIVEN|WHEN|THEN|AND|BUT)\b/i

export function stepsIn(lines: readonly string[]): Steps {
  const steps: Record<'given' | 'when' | 'then', string[]> = { given: [], when: [], then: [] }
  const notes: string[] = []
  let current: string[] | undefined
  for (const line of lines) {
    const [start = '', word] = stepStart.exec(line) ?? []
    const text = line
      .slice(start.length)
      .replace(/^:?\*{0,2}:?/, '')
      .trim()
    if (word === undefined) {
      if (line.trim() !== '') (current ?? notes).push(line.trim())
    } else if (/^(?:and|but)$/i.test(word) && current !== undefined) current.push(`${word} ${text}`.trimEnd())
    else {
      current = steps[/^given$/i.test(word) ? 'given' : /^when$/i.test(word) ? 'when' : 'then']
      current.push(text)
    }
  }
  const [given, when, then] = [steps.given, steps.when, steps.then].map(step => step.join('\n'))
  return { given: given!, when: when!, then: then!, notes: notes.join('\n') || null }
}

/** What somebody writes or chooses in; a field for files opens a window of the system. */
const fields = 'input:not([type=hidden], [type=file], [hidden]), textarea, select'

/** What a dialog without fields begins with, such as the harmless answer to a question. */
const marked = '[data-first]'

/**
 * Puts the focus on the first field of a dialog that has just opened, when it is there: a form may be read first. Until
 * then, and where there is none, the dialog itself has it.
 * @param hasFields whether fields are what it is opened for
 * @returns ends the waiting
 */
export function beginIn(dialog: HTMLElement, hasFields: boolean): () => void {
  const focusFirst = (): boolean => {
    const first = hasFields ? dialog.querySelector<HTMLElement>(`${marked}, ${fields}`) : null
    first?.focus({ preventScroll: true })
    return first !== null
  }
  dialog.focus()
  if (!hasFields || focusFirst()) return () => {}
  const seen = new MutationObserver(() => {
    if (document.activeElement !== dialog || focusFirst()) seen.disconnect()
  })
  seen.observe(dialog, { childList: true, subtree: true })
  return () => seen.disconnect()
}

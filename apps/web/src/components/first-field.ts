/** Fields that take the focus; file fields do not, because they open a dialog of the system. */
const fields = 'input:not([type=hidden], [type=file], [hidden]), textarea, select'

/** What gets the focus in a dialog without fields, such as the harmless answer to a question. */
const marked = '[data-first]'

/**
 * Focuses the first field of a dialog that has just opened, as soon as it exists: the data of a form may have to be
 * read first. Until then, and without fields, the dialog itself has the focus.
 * @param hasFields whether the dialog is opened for its fields
 * @returns stops waiting
 */
export function focusFirstField(dialog: HTMLElement, hasFields: boolean): () => void {
  const focusFirst = (): boolean => {
    const first = hasFields ? dialog.querySelector<HTMLElement>(`${marked}, ${fields}`) : null
    first?.focus({ preventScroll: true })
    return first !== null
  }
  dialog.focus()
  if (!hasFields || focusFirst()) return () => {}
  const observer = new MutationObserver(() => {
    if (document.activeElement !== dialog || focusFirst()) observer.disconnect()
  })
  observer.observe(dialog, { childList: true, subtree: true })
  return () => observer.disconnect()
}

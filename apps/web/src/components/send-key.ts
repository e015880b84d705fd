import type { KeyboardEvent } from 'react'

/** Whether a key sends a form: Enter with Ctrl or Cmd, which nobody has acted on. */
export const isSendKey = ({ key, ctrlKey, metaKey, defaultPrevented }: KeyboardEvent): boolean =>
  !defaultPrevented && key === 'Enter' && (ctrlKey || metaKey)

/** Sends the form of a text area by that key. */
export function sendByKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (isSendKey(event)) event.currentTarget.form?.requestSubmit()
}

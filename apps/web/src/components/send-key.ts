import type { KeyboardEvent } from 'react'

/** Whether a key press sends a form: Enter with Ctrl or Cmd, unless something else has already handled it. */
export const isSendKey = ({ key, ctrlKey, metaKey, defaultPrevented }: KeyboardEvent): boolean =>
  !defaultPrevented && key === 'Enter' && (ctrlKey || metaKey)

/** Sends the form of a text area by that key. */
export function sendByKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (isSendKey(event)) event.currentTarget.form?.requestSubmit()
}

import type { DetailedHTMLProps, HTMLAttributes } from 'react'

type ElementProps = DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement>

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      /** Buttons that write Markdown into the text area that `for` names. */
      'markdown-toolbar': ElementProps & { readonly for: string }
      /** Asks for suggestions while somebody writes a word that begins with one of the keys, in the text area within. */
      'text-expander': ElementProps & { readonly keys: string }
    }
  }
}

declare global {
  interface HTMLElementEventMap {
    /** A word is being typed: pass the list of suggestions to `provide`. */
    'text-expander-change': CustomEvent<{
      readonly key: string
      readonly text: string
      readonly provide: (found: Promise<{ readonly matched: boolean; readonly fragment?: HTMLElement }>) => void
    }>
    /** A suggestion is chosen: set `value` to the text that replaces the word. */
    'text-expander-value': CustomEvent<{ readonly item: HTMLElement; value: string | null }>
    /** The suggestion was inserted into the text area. */
    'text-expander-committed': CustomEvent<{ readonly input: HTMLTextAreaElement }>
  }
}

import { messages } from '../messages/messages.ts'
import { toast } from './toast.tsx'
import './copied.css'

interface CopiedProps {
  /** What the text is, used on the button and in the toast. */
  readonly label: string
  readonly text: string
}

/** A text to paste elsewhere, such as a key, with a button that copies it. */
export const Copied = ({ label, text }: CopiedProps) => (
  <div className="copied">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must take the focus */}
    <section tabIndex={0} aria-label={label}>
      <pre dir="auto">{text}</pre>
    </section>
    <button
      type="button"
      className="button"
      aria-label={messages.shell.copy(label)}
      onClick={() => void navigator.clipboard.writeText(text).then(() => toast(messages.shell.copied(label)))}
    >
      {messages.shell.copyIt}
    </button>
  </div>
)

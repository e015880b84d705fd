import './notation.css'

interface NotationTextProps {
  readonly text: string
  /** What the text describes, for those who do not see it. */
  readonly label: string
}

/** A diagram as the text that it was written in. */
export const NotationText = ({ text, label }: NotationTextProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must take the focus
  <section className="notation" tabIndex={0} aria-label={label}>
    <pre>{text}</pre>
  </section>
)

import './notation.css'

interface NotationTextProps {
  readonly text: string
  /** What the text describes, for screen readers. */
  readonly label: string
}

/** The source text of a diagram. */
export const NotationText = ({ text, label }: NotationTextProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must take the focus
  <section className="notation" tabIndex={0} aria-label={label}>
    <pre>{text}</pre>
  </section>
)

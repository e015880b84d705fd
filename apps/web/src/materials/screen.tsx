import './materials.css'

interface ScreenProps {
  readonly title: string
  readonly html: string
}

/** A screen in a frame without scripts, forms or an origin of its own. */
export const Screen = ({ title, html }: ScreenProps) => (
  <iframe className="mockup" title={title} sandbox="" srcDoc={html} />
)

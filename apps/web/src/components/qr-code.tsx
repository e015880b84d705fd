import { encode } from 'uqr'
import './qr-code.css'

interface QrCodeProps {
  /** The encoded text. */
  readonly text: string
  readonly label: string
}

/** A QR code; dark on light regardless of the page's colours, because cameras need it. */
export function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <title>{label}</title>
      <path className="qr-light" d={`M0 0h${size}v${size}h-${size}z`} />
      <path className="qr-dark" d={dark.join('')} />
    </svg>
  )
}

const paths = {
  inbox: 'M3 9.5 4.6 4h6.8L13 9.5V13H3zM3 9.5h3l.8 1.5h2.4l.8-1.5h3',
  board: 'M3 3h3v10H3zM6.5 3h3v7h-3zM10 3h3v5h-3z',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5 14 14',
  plus: 'M8 3v10M3 8h10',
  close: 'm4 4 8 8M12 4l-8 8',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  lock: 'M4.5 7.5h7V13h-7zM6 7.5V5.5a2 2 0 0 1 4 0v2',
  question: 'M5.8 6a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.6M8 12h.01',
  comment: 'M3 4h10v7H8l-3 2.5V11H3z',
  person: 'M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3.5 13.5a4.5 4.5 0 0 1 9 0',
  clock: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM8 5v3l2 1.5',
  check: 'm3.5 8.5 3 3 6-7',
  bug: 'M5.5 6.5h5V10a2.5 2.5 0 0 1-5 0zM6 6.5a2 2 0 0 1 4 0M3 6l2.5 1.5M13 6l-2.5 1.5M3 12l2.5-1.5M13 12l-2.5-1.5',
  test: 'M6.5 3h3M7 3v4l-3 5.5h8L9 7V3',
  link: 'M6.5 9.5 9.5 6.5M7 4.5l1-1a2.5 2.5 0 0 1 3.5 3.5l-1 1M9 11.5l-1 1A2.5 2.5 0 0 1 4.500 9l1-1',
  expand: 'M9.500 3H13v3.500M13 3 8.500 7.500M6.500 13H3V9.500M3 13l4.500-4.500',
  out: 'M9 4V3H3v10h6v-1M6.500 8H14M11.500 5.500 14 8l-2.500 2.500',
  keyboard: 'M2 4.500h12v7H2zM4.500 7h.01M7 7h.01M9.500 7h.01M12 7h.01M5 9.500h6',
  chevron: 'm6 4 4 4-4 4',
  file: 'M4 2.500h5L12 5.500v8H4zM9 2.500v3h3',
  flag: 'M4 14V3h7l-1.500 2.500L11 8H4',
  edit: 'M3 13v-2.500l7.500-7.500 2.500 2.500L5.500 13zM9 4.500 11.500 7',
  idea: 'M8 2a4 4 0 0 1 2.300 7.300c-.5.400-.8.900-.8 1.500v.2h-3v-.2c0-.6-.3-1.100-.8-1.500A4 4 0 0 1 8 2zM6.500 13.500h3',
  refinement: 'M2.500 3.500h11L9.500 8.500v4l-3 1.500V8.500z',
  matrix: 'M2.500 2.500h11v11h-11zM2.500 6.200h11M2.500 9.800h11M6.200 2.500v11M9.800 2.500v11',
  chart: 'M3 13V3M3 13h10M6 11V8M9 11V5M12 11V7',
  pulse: 'M2 8h3l2-4.500 3 9L11.500 8H14',
  settings:
    'M3 5h6M12 5h1M3 11h1M7 11h6M10.500 6.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3zM5.500 12.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3z',
  shapes: 'M3 3h4v4H3zM9 9h4v4H9zM11 3.500V9M7 5h4',
  lineage: 'M2.500 6h3v4h-3zM10.500 2.500h3v4h-3zM10.500 9.500h3v4h-3zM5.500 8H8M8 4.500h2.500M8 4.500v7h2.500',
  graph:
    'M8 5.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM3.500 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM12.500 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7 5.300 4.500 10.200M9 5.300l2.500 4.900M5.500 12h5',
  target:
    'M8 13a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM8 9.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3zM8 1.500V4M8 12v2.500M1.500 8H4M12 8h2.500',
} as const

export type IconName = keyof typeof paths

/** A small picture beside or instead of words; whoever uses it alone names its button. */
export const Icon = ({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) => (
  <svg
    className={name === 'more' ? 'glyph dots' : 'glyph'}
    width={size}
    height={size}
    viewBox="0 0 16 16"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
)

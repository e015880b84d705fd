/** Icons of Lucide 1.62, like those of `components/lucide.ts`, but not part of the board's first load. */
export const toolIcons = {
  bold: 'M6 12h9a4 4 0 0 1 0 8H7a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1h7a4 4 0 0 1 0 8',
  italic: 'M19 4h-9M14 20H5M15 4 9 20',
  code: 'M16 18l6-6-6-6M8 6l-6 6 6 6',
  bullets: 'M3 5h.01M3 12h.01M3 19h.01M8 5h13M8 12h13M8 19h13',
  numbers: 'M11 5h10M11 12h10M11 19h10M4 4h1v5M4 9h2M6.5 20H3.4c0-1 2.6-1.925 2.6-3.5a1.5 1.5 0 0 0-2.6-1.02',
  tasks: 'M4 4h4a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM3 17l2 2 4-4M13 5h8M13 12h8M13 19h8',
  quote: 'M17 5H3M21 12H8M21 19H8M3 12v7',
  at: 'M8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0M16 8v5a3 3 0 0 0 6 0v-1a10 10 0 1 0-4 8',
  picture:
    'M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM11 9a2 2 0 1 1-4 0a2 2 0 0 1 4 0M21 15l-3.086-3.086a2 2 0 0 0-2.828 0L6 21',
  hash: 'M4 9h16M4 15h16M10 3 8 21M16 3 14 21',
} as const

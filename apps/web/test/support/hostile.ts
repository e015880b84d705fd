/** Texts that would do something if a page took them for more than text. */
export const corpus = [
  '<img src=x onerror="window.attacked=1">',
  '<script>window.attacked=2</script>',
  '<svg onload="window.attacked=3"></svg>',
  '[click](javascript:window.attacked=4)',
  '<iframe srcdoc="<script>parent.attacked=5</script>"></iframe>',
  '<a href="javascript:window.attacked=6" autofocus onfocus="window.attacked=6">x</a>',
  '"><style>*{display:none}</style>',
  '![x](https://example.invalid/pixel.png)',
] as const

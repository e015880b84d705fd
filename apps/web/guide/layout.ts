import { contents, type GuidePage, guidePages } from './contents.ts'
import { escapeHtml } from './html.ts'
import { base } from './markdown.ts'

/** The path of the script in the sources; vite replaces it. */
export const scriptAddress = '/guide.ts'

/** A complete page of the guide around its text. */
export function pageOf(page: GuidePage, text: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${base}icon.svg" type="image/svg+xml">
<title>${escapeHtml(page.title)} · Specboard</title>
<script type="module" src="${scriptAddress}"></script>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header>
<a class="name" href="${base}">Specboard</a>
<button type="button" class="open-contents" popovertarget="contents">Contents</button>
<form role="search" hidden>
<input type="search" aria-label="Search the guide" placeholder="Search" autocomplete="off" aria-controls="found">
<div id="found" role="region" aria-label="What was found" aria-live="polite" hidden></div>
</form>
<a class="elsewhere" href="/docs">API</a>
<a class="elsewhere" href="/">Board</a>
</header>
<nav id="contents" aria-label="Contents" popover>
${contents.map(section => sectionOf(section, page)).join('\n')}
</nav>
<main id="text" tabindex="-1">
<article>
${text}</article>
${neighbours(page)}
</main>
</body>
</html>
`
}

function sectionOf({ title, pages }: (typeof contents)[number], current: GuidePage): string {
  const links = pages.map(page => {
    const mark = page === current ? ' aria-current="page"' : ''
    return `<li><a href="${addressOf(page)}"${mark}>${escapeHtml(page.title)}</a></li>`
  })
  return `<h2>${escapeHtml(title)}</h2>\n<ul>\n${links.join('\n')}\n</ul>`
}

/** The address of a page. */
const addressOf = ({ path }: GuidePage): string => base + path.replace(/^index\.html$/, '')

/** The previous and the next page in reading order. */
function neighbours(page: GuidePage): string {
  const place = guidePages.indexOf(page)
  const [before, after] = [guidePages[place - 1], guidePages[place + 1]]
  const links = [
    before && `<a rel="prev" href="${addressOf(before)}">← ${escapeHtml(before.title)}</a>`,
    after && `<a rel="next" href="${addressOf(after)}">${escapeHtml(after.title)} →</a>`,
  ]
  return `<nav class="neighbours" aria-label="Before and after">${links.filter(Boolean).join(' ')}</nav>`
}

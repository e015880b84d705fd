/** The page of backups: problems, existing backups, and making a new one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

describeInBrowser('the page of backups', () => {
  const root = mkdtempSync(join(tmpdir(), 'specboard-backups-'))
  const here = browsing(async () => ({ backupDir: join(root, 'backups'), backupAt: '02:30' }))

  afterAll(() => rmSync(root, { recursive: true, force: true }))

  test.each(['light', 'dark'] as const)('makes one, and lists it, %s', async colorScheme => {
    const page = await here().open('/admin/backups', { colorScheme })
    const rows = page.getByRole('region', { name: 'Backups in the folder' }).locator('tbody tr')
    await page.getByText('the newest 7').waitFor()
    const before = await rows.count()
    if (before === 0) await page.getByText('There is no good backup yet.').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Back up now' }).click()
    await expect.poll(() => rows.count()).toBe(before + 1)
    await page.getByText('All is well').waitFor()
    await rows.first().getByText('read back, hashes match').waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('is read by who may read the settings, who is told that it may not make one', async () => {
    const reader = await here().world.agent({ permission_flags: { SETTINGS_UPDATE: false } })
    const page = await here().open('/admin/backups', {}, reader)
    const button = page.getByRole('button', { name: 'Back up now' })
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
  })
})

import { troubles } from './weather.ts'
import { type Outcome, runWorld, type Wish } from './world.ts'

const mostPeople = 8

/** Leaves out every person and trouble that the broken promise does not need. */
export async function shrink(wish: Wish): Promise<{ readonly wish: Wish; readonly outcome: Outcome }> {
  let best = { wish, outcome: await runWorld(wish) }
  const { promise } = best.outcome.broken ?? {}
  async function attempt(next: Wish): Promise<void> {
    const outcome = await runWorld(next)
    if (outcome.broken?.promise === promise) best = { wish: next, outcome }
  }
  for (const trouble of troubles) await attempt({ ...best.wish, calm: [...(best.wish.calm ?? []), trouble] })
  for (let person = 0; person < mostPeople; person += 1)
    await attempt({ ...best.wish, without: [...(best.wish.without ?? []), person] })
  return best
}

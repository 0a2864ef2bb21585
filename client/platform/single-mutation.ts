import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

/**
 * A mutation of which one call is on its way at a time: its state is shown some moments after the press, and a second press
 * in between begins no other.
 */
export function useSingleMutation<D, V = void>(
  options: UseMutationOptions<D, Error, V>,
): UseMutationResult<D, Error, V> {
  const mutation = useMutation(options)
  const { mutate, isPending } = mutation
  const isOnItsWay = useRef(false)
  // After each sight: one between the press and the call's state knows of the call, too.
  useEffect(() => {
    if (!isPending) isOnItsWay.current = false
  })
  return {
    ...mutation,
    mutate: (...call) => {
      if (isOnItsWay.current) return
      isOnItsWay.current = true
      mutate(...call)
    },
  }
}

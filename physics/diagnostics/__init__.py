"""Why a state is as it is: where the parameters of constraints come from, why things do not touch, what balances at a joint, what diverged, what to change."""

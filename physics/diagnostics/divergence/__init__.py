"""Why a run diverged: who led, which element is too stiff for the time step, and which change survives; each as functions over recorded steps."""
